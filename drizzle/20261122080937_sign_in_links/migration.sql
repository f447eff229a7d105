CREATE TABLE "sign_in_links" (
	"admin_id" bigint PRIMARY KEY,
	"code_hash" bytea NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_links_code_hash" ON "sign_in_links" ("code_hash");--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id") ON DELETE CASCADE;