ALTER TABLE "chain_cursors" ADD COLUMN "problem_code" text;
