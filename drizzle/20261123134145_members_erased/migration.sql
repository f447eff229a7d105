-- Adds a column without a default, and checks all members once: a second for a million, while they are locked.
CREATE TABLE "audit_personal" (
	"audit_id" bigint PRIMARY KEY,
	"member_id" text,
	"details" jsonb NOT NULL,
	"salt" bytea NOT NULL
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "erased_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_personal_member" ON "audit_personal" ("member_id");--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_erased_is_empty" CHECK ("erased_at" IS NULL OR num_nonnulls("legal_phone", "kyc_selfie") = 0);