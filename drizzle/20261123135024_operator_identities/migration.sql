CREATE TABLE "oidc_flows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "oidc_flows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state_hash" bytea NOT NULL,
	"browser_hash" bytea NOT NULL,
	"issuer" text NOT NULL,
	"purpose" text NOT NULL,
	"admin_id" bigint,
	"session_id" bigint,
	"invitation_hash" bytea,
	"return_to" text,
	"presented_hash" bytea,
	"device_hash" bytea,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone,
	CONSTRAINT "oidc_flows_purpose_known" CHECK ("purpose" IN ('sign_in', 'step_up', 'invitation', 'link')),
	CONSTRAINT "oidc_flows_whole" CHECK (num_nonnulls("admin_id", "session_id") = CASE WHEN "purpose" IN ('step_up', 'link') THEN 2 ELSE 0 END
        AND ("invitation_hash" IS NOT NULL) = ("purpose" = 'invitation'))
);
--> statement-breakpoint
CREATE TABLE "operator_identities" (
	"issuer" text,
	"subject" text,
	"admin_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_identities_pkey" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "break_glass" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_flows_state" ON "oidc_flows" ("state_hash");--> statement-breakpoint
CREATE INDEX "oidc_flows_admin" ON "oidc_flows" ("admin_id");--> statement-breakpoint
CREATE INDEX "oidc_flows_session" ON "oidc_flows" ("session_id");--> statement-breakpoint
CREATE INDEX "oidc_flows_end" ON "oidc_flows" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_identities_admin" ON "operator_identities" ("admin_id","issuer");--> statement-breakpoint
ALTER TABLE "oidc_flows" ADD CONSTRAINT "oidc_flows_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "oidc_flows" ADD CONSTRAINT "oidc_flows_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "operator_identities" ADD CONSTRAINT "operator_identities_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" DROP CONSTRAINT "auth_challenges_purpose_known", ADD CONSTRAINT "auth_challenges_purpose_known" CHECK ("purpose" IN ('sign_in', 'oidc_sign_in', 'passkey_sign_in', 'passkey_step_up', 'passkey_setup', 'totp_setup'));