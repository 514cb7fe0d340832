"""The short document of a requisition that ends without an assessment."""
