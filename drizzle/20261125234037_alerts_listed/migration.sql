-- concurrently
CREATE INDEX CONCURRENTLY "messages_alert_walk" ON "messages" ("created_at","id") WHERE channel IN ('email', 'chat');
