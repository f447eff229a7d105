CREATE TABLE "note_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "note_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"note_id" bigint NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"member_id" text NOT NULL,
	"order_id" bigint,
	"text" text NOT NULL,
	"author_id" bigint NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"pinned_at" timestamp(3) with time zone,
	"pinned_by" text,
	"version" integer DEFAULT 1 NOT NULL,
	"search" text GENERATED ALWAYS AS (fold_text(text)) STORED NOT NULL
);
--> statement-breakpoint
CREATE INDEX "note_versions_note" ON "note_versions" ("note_id","id");--> statement-breakpoint
CREATE INDEX "notes_walk" ON "notes" ("created_at","id");--> statement-breakpoint
CREATE INDEX "notes_member" ON "notes" ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notes_order" ON "notes" ("order_id","created_at","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "notes_pinned" ON "notes" ("member_id","pinned_at") WHERE pinned_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE "note_versions" ADD CONSTRAINT "note_versions_note_id_notes_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_order_id_orders_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_admins_id_fkey" FOREIGN KEY ("author_id") REFERENCES "admins"("id");--> statement-breakpoint
CREATE INDEX "notes_search" ON "notes" USING gin ("search" gin_trgm_ops);
