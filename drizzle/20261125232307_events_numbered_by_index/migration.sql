-- The function's plan is made once a session. Made while PostgreSQL knew the table as empty, it read all events for each one, so that
-- a burst of thousands in one transaction ran into the statement's limit each time.
ALTER FUNCTION number_event() SET enable_seqscan = off;
