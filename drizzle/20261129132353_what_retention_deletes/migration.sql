-- concurrently
CREATE INDEX CONCURRENTLY "members_decided" ON "members" ("kyc_status","kyc_decided_at","id") WHERE kyc_decided_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "message_attempts_response" ON "message_attempts" ("created_at","id") WHERE response_excerpt IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "messages_over" ON "messages" ("created_at","id") WHERE (channel <> 'kyc' AND state IN ('delivered', 'dropped') OR state IN ('duplicate', 'refused'));--> statement-breakpoint
CREATE INDEX CONCURRENTLY "messages_body" ON "messages" ("created_at","id") WHERE body_excerpt IS NOT NULL;