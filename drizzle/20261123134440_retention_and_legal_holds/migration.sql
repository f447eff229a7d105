-- New tables alone; waits for nothing but a moment without writes to members.
CREATE TABLE "legal_holds" (
	"member_id" text PRIMARY KEY,
	"reason" text NOT NULL,
	"placed_by" text NOT NULL,
	"placed_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_rules" (
	"kind" text PRIMARY KEY,
	"days" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retention_rules_kind_known" CHECK ("kind" IN ('approved_pictures', 'rejected_pictures', 'message_bodies')),
	CONSTRAINT "retention_rules_days_range" CHECK ("days" BETWEEN 1 AND 36500)
);
--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");