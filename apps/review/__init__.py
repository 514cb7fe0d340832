"""The screens of engineers, approvers and managers."""
