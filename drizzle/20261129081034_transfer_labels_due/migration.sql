CREATE TABLE "transfer_labels_due" (
	"contract_address" text PRIMARY KEY,
	"done_id" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
