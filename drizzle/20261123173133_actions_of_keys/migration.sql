DROP INDEX "audit_log_actor";--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" (lower("actor_name"),"created_at","id","action");