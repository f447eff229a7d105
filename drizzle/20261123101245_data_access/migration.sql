CREATE TABLE "data_access" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "data_access_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"admin_id" bigint NOT NULL,
	"session_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"rows" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_access_kind_known" CHECK ("kind" IN ('member', 'members', 'kyc_case', 'kyc_lists', 'order', 'orders', 'transactions', 'search'))
);
--> statement-breakpoint
CREATE INDEX "data_access_target" ON "data_access" ("target","at") WHERE target IS NOT NULL;--> statement-breakpoint
CREATE INDEX "data_access_age" ON "data_access" ("at");