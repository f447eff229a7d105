CREATE TABLE "bank_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"account" text NOT NULL,
	"account_key" text NOT NULL,
	"currency" text NOT NULL,
	"csv_profile" jsonb,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_accounts_number" UNIQUE("account_key","currency"),
	CONSTRAINT "bank_accounts_currency_form" CHECK ("currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "bank_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sha256" text NOT NULL CONSTRAINT "bank_imports_file" UNIQUE,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"size" integer NOT NULL,
	"lines_new" integer NOT NULL,
	"lines_known" integer NOT NULL,
	"unreadable_count" integer NOT NULL,
	"warnings" text[] NOT NULL,
	"unreadable" text[] NOT NULL,
	"imported_by" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_imports_sha256_form" CHECK ("sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "bank_imports_format_known" CHECK ("format" IN ('camt', 'MT940', 'CSV', 'zip'))
);
--> statement-breakpoint
CREATE TABLE "bank_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"statement_id" bigint NOT NULL,
	"key" text NOT NULL,
	"occurrence" integer NOT NULL,
	"place" text NOT NULL,
	"position" integer NOT NULL,
	"booked_on" date,
	"value_on" date,
	"direction" text NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"is_reversal" boolean NOT NULL,
	"booking" text NOT NULL,
	"payer_name" text,
	"payer_account" text,
	"bank_reference" text,
	"end_to_end_id" text,
	"mandate_id" text,
	"uetr" text,
	"structured" text[] NOT NULL,
	"remittance" text[] NOT NULL,
	"info" text[] NOT NULL,
	"details" jsonb NOT NULL,
	"allocated" numeric DEFAULT '0.00' NOT NULL,
	"state" text GENERATED ALWAYS AS (CASE WHEN booking <> 'booked' THEN booking WHEN allocated = amount THEN 'settled' WHEN allocated = 0 THEN 'open' ELSE 'part' END) STORED NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"listed_at" timestamp(3) with time zone GENERATED ALWAYS AS (coalesce(coalesce(booked_on, value_on)::timestamp AT TIME ZONE 'UTC', created_at)) STORED NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"search" text GENERATED ALWAYS AS (bank_line_search(payer_name, payer_account, ARRAY[bank_reference, end_to_end_id, mandate_id, uetr] || structured, remittance)) STORED NOT NULL,
	CONSTRAINT "bank_lines_once" UNIQUE("account_id","key","occurrence"),
	CONSTRAINT "bank_lines_direction_known" CHECK ("direction" IN ('credit', 'debit')),
	CONSTRAINT "bank_lines_booking_known" CHECK ("booking" IN ('booked', 'pending', 'info')),
	CONSTRAINT "bank_lines_amount_range" CHECK ("amount" >= 0 AND "amount" < 1e15 AND scale("amount") <= 5),
	CONSTRAINT "bank_lines_allocated_range" CHECK ("allocated" >= 0 AND "allocated" <= "amount")
);
--> statement-breakpoint
CREATE TABLE "bank_statement_lines" (
	"line_id" bigint,
	"statement_id" bigint,
	CONSTRAINT "bank_statement_lines_pkey" PRIMARY KEY("line_id","statement_id")
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_statements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"continues_id" bigint,
	"kind" text NOT NULL,
	"external_id" text,
	"number" text,
	"opening" numeric,
	"opening_on" date,
	"credits" numeric DEFAULT '0.00' NOT NULL,
	"debits" numeric DEFAULT '0.00' NOT NULL,
	"closing" numeric,
	"closing_on" date,
	"difference" numeric GENERATED ALWAYS AS (opening + credits - debits - closing) STORED,
	"lines_new" integer DEFAULT 0 NOT NULL,
	"lines_known" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_statements_kind_known" CHECK ("kind" IN ('camt.052', 'camt.053', 'camt.054', 'MT940', 'MT942', 'CSV'))
);
--> statement-breakpoint
CREATE INDEX "bank_imports_walk" ON "bank_imports" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_walk" ON "bank_lines" ("listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_account" ON "bank_lines" ("account_id","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_state" ON "bank_lines" ("state","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_account_state" ON "bank_lines" ("account_id","state","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_amount" ON "bank_lines" ("amount","listed_at","id");--> statement-breakpoint
CREATE INDEX "bank_lines_statement" ON "bank_lines" ("statement_id");--> statement-breakpoint
CREATE INDEX "bank_statements_walk" ON "bank_statements" ("created_at","id");--> statement-breakpoint
CREATE INDEX "bank_statements_account" ON "bank_statements" ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bank_statements_closing" ON "bank_statements" ("account_id","closing");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_account_id_bank_accounts_id_fkey" FOREIGN KEY ("account_id") REFERENCES "bank_accounts"("id");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_statement_id_bank_statements_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bank_statement_lines" ADD CONSTRAINT "bank_statement_lines_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_statement_lines" ADD CONSTRAINT "bank_statement_lines_statement_id_bank_statements_id_fkey" FOREIGN KEY ("statement_id") REFERENCES "bank_statements"("id");--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_import_id_bank_imports_id_fkey" FOREIGN KEY ("import_id") REFERENCES "bank_imports"("id");--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_account_id_bank_accounts_id_fkey" FOREIGN KEY ("account_id") REFERENCES "bank_accounts"("id");