ALTER TABLE "platform_keys" DROP CONSTRAINT "platform_keys_name";--> statement-breakpoint
CREATE UNIQUE INDEX "platform_keys_lower_name" ON "platform_keys" (lower("name"));