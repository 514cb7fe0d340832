"""The screens of engineers, approvers and managers. Thin: get, ask a service, show."""
