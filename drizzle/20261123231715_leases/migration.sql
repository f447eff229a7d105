CREATE TABLE "leases" (
	"name" text PRIMARY KEY,
	"holder" uuid NOT NULL,
	"server" text NOT NULL,
	"held_until" timestamp(3) with time zone NOT NULL
);
