DROP INDEX "admins_username";--> statement-breakpoint
DROP INDEX "members_email";--> statement-breakpoint
CREATE UNIQUE INDEX "admins_username_folded" ON "admins" (fold_name("username"));