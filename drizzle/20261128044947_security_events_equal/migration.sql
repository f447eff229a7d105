-- concurrently
CREATE INDEX CONCURRENTLY "security_events_equal" ON "security_events" ("event_type","severity",md5("description"),"id") WHERE resolved_at IS NULL;