CREATE TABLE "kyc_another_looks" (
	"verification_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "kyc_another_looks_admin" ON "kyc_another_looks" ("admin_id");--> statement-breakpoint
ALTER TABLE "kyc_another_looks" ADD CONSTRAINT "kyc_another_looks_verification_id_kyc_verifications_id_fkey" FOREIGN KEY ("verification_id") REFERENCES "kyc_verifications"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "kyc_another_looks" ADD CONSTRAINT "kyc_another_looks_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id");