CREATE TABLE "kyc_claims" (
	"verification_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"claimed_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kyc_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"attempt_number" integer NOT NULL,
	"webhook_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp(3) with time zone,
	"lease_until" timestamp(3) with time zone,
	"last_failed_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "kyc_deliveries_attempt" UNIQUE("member_id","attempt_number"),
	CONSTRAINT "kyc_deliveries_state_known" CHECK ("state" IN ('waiting', 'sending', 'delivered', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "kyc_webhook_logs" ADD COLUMN "try_number" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_webhook_logs" ADD COLUMN "http_status" integer;--> statement-breakpoint
ALTER TABLE "kyc_webhook_logs" ADD COLUMN "latency_ms" integer;--> statement-breakpoint
ALTER TABLE "kyc_webhook_logs" ADD COLUMN "response_excerpt" text;--> statement-breakpoint
ALTER TABLE "kyc_webhook_logs" ADD COLUMN "started_by" text DEFAULT 'queue' NOT NULL;--> statement-breakpoint
CREATE INDEX "kyc_claims_admin" ON "kyc_claims" ("admin_id");--> statement-breakpoint
CREATE INDEX "kyc_deliveries_due" ON "kyc_deliveries" ("next_try_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "kyc_deliveries_sending" ON "kyc_deliveries" ("lease_until") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "kyc_deliveries_unreached" ON "kyc_deliveries" ("last_failed_at") WHERE state <> 'delivered' AND last_failed_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_claims" ADD CONSTRAINT "kyc_claims_verification_id_kyc_verifications_id_fkey" FOREIGN KEY ("verification_id") REFERENCES "kyc_verifications"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_claims" ADD CONSTRAINT "kyc_claims_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_deliveries" ADD CONSTRAINT "kyc_deliveries_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;