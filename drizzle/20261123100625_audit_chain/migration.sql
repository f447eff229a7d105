-- Rows from before get the number of this transaction, without being rewritten; they are sealed as they are found now. The index
-- locks the audit log against writes while it is built, some seconds for a million rows.
CREATE TABLE "audit_chain" (
	"seq" bigint PRIMARY KEY,
	"audit_id" bigint NOT NULL CONSTRAINT "audit_chain_audit_id" UNIQUE,
	"mac" bytea NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_keys" (
	"key_id" text PRIMARY KEY,
	"first_used_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "mac" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "xid" xid8 DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_log_xid" ON "audit_log" ("xid","id");