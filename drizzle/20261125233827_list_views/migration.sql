CREATE TABLE "list_views" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "list_views_list_known" CHECK ("list" IN ('users', 'orders', 'chainTransactions', 'platformTransactions', 'submissions', 'verifications', 'securityEvents', 'adminLogs'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "list_views_name" ON "list_views" ("owner_id","list",lower("name"));--> statement-breakpoint
CREATE INDEX "list_views_shared" ON "list_views" ("id") WHERE is_shared;--> statement-breakpoint
ALTER TABLE "list_views" ADD CONSTRAINT "list_views_owner_id_admins_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "admins"("id");