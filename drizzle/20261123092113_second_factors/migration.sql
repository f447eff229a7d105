CREATE TABLE "admin_factors" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_factors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text,
	"public_key" bytea,
	"counter" bigint,
	"transports" text[],
	"secret_enc" bytea,
	"key_id" text,
	"last_step" bigint,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	CONSTRAINT "admin_factors_kind_known" CHECK ("kind" IN ('passkey', 'totp')),
	CONSTRAINT "admin_factors_whole" CHECK (CASE "kind"
        WHEN 'passkey' THEN num_nonnulls("credential_id", "public_key", "counter", "transports") = 4
          AND num_nonnulls("secret_enc", "key_id", "last_step") = 0
        ELSE num_nonnulls("secret_enc", "key_id", "last_step") = 3
          AND num_nonnulls("credential_id", "public_key", "counter", "transports") = 0 END)
);
--> statement-breakpoint
CREATE TABLE "auth_challenges" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "auth_challenges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hash" bytea NOT NULL,
	"purpose" text NOT NULL,
	"admin_id" bigint NOT NULL,
	"session_id" bigint,
	"secret_enc" bytea,
	"key_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone,
	CONSTRAINT "auth_challenges_purpose_known" CHECK ("purpose" IN ('sign_in', 'passkey_sign_in', 'passkey_step_up', 'passkey_setup', 'totp_setup'))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"hash" bytea NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_by" text[] DEFAULT '{password}'::text[] NOT NULL;--> statement-breakpoint
CREATE INDEX "admin_factors_admin" ON "admin_factors" ("admin_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_factors_credential" ON "admin_factors" ("credential_id");--> statement-breakpoint
CREATE UNIQUE INDEX "auth_challenges_hash" ON "auth_challenges" ("hash");--> statement-breakpoint
CREATE INDEX "auth_challenges_admin" ON "auth_challenges" ("admin_id","purpose","id");--> statement-breakpoint
CREATE INDEX "auth_challenges_session" ON "auth_challenges" ("session_id");--> statement-breakpoint
CREATE INDEX "auth_challenges_end" ON "auth_challenges" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_hash" ON "recovery_codes" ("admin_id","hash");--> statement-breakpoint
ALTER TABLE "admin_factors" ADD CONSTRAINT "admin_factors_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;--> statement-breakpoint
-- A session that stands authenticated when it began.
UPDATE "sessions" SET "authenticated_at" = "created_at";
