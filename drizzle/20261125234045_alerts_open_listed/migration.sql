-- concurrently
CREATE INDEX CONCURRENTLY "messages_alert_open" ON "messages" ("created_at") WHERE channel IN ('email', 'chat') AND state IN ('waiting', 'sending', 'failed');
