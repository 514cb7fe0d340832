"""When people work: the week, days off and short days, and how long an assessment may take."""
