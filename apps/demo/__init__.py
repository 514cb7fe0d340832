"""The first start in embedded mode: demo people, so that the product can be tried at once."""
