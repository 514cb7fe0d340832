"""Duration of a step: products, attention, element-wise traffic, exchange, optimizer."""
