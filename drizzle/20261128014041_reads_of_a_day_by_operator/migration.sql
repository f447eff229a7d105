-- concurrently
CREATE INDEX CONCURRENTLY "data_access_operator" ON "data_access" ("admin_id","at");--> statement-breakpoint
DROP INDEX CONCURRENTLY "data_access_exports";