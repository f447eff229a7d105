CREATE TABLE "ended_sessions" (
	"token_hash" bytea PRIMARY KEY,
	"reason" text NOT NULL,
	"ended_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ended_sessions_reason_known" CHECK ("reason" IN ('idle', 'age', 'newer_sessions', 'ended_by_owner', 'ended_by_operator', 'password_changed', 'password_set', 'factors_changed', 'factors_reset', 'role_changed', 'disabled', 'provider_unlinked'))
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "seen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "last_disabled_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "approvals_unseen" ON "approvals" ("requested_by") WHERE seen_at IS NULL AND state NOT IN ('open', 'withdrawn');--> statement-breakpoint
CREATE INDEX "ended_sessions_age" ON "ended_sessions" ("ended_at");--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_seen" CHECK ("seen_at" IS NULL OR "state" <> 'open');