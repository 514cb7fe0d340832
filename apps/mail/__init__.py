"""The outbox: a mail is a row of the step that causes it, and a worker hands it over."""
