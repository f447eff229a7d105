CREATE TABLE "reason_templates" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reason_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"text" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "reason_templates_name" ON "reason_templates" ("owner_id","language",lower("name"));--> statement-breakpoint
ALTER TABLE "reason_templates" ADD CONSTRAINT "reason_templates_owner_id_admins_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "admins"("id");