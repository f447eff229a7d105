ALTER TABLE "bank_statements" VALIDATE CONSTRAINT "bank_statements_continues_id_bank_statements_id_fkey";
