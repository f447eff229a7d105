ALTER TABLE "admins" ADD COLUMN "invited_by" bigint;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "invitation_approved_by" bigint;--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_invited_by_admins_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_invitation_approved_by_admins_id_fkey" FOREIGN KEY ("invitation_approved_by") REFERENCES "admins"("id");