ALTER TABLE "bank_parts" ADD COLUMN "changed_in" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_parts_changed" ON "bank_parts" ("changed_in","id");