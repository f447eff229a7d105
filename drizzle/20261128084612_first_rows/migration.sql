-- Of which life of the database a cursor is: see docs/decisions/026.
INSERT INTO settings (name, value) VALUES ('change_lists', jsonb_build_object('epoch', gen_random_uuid(), 'system', NULL));--> statement-breakpoint
-- The endpoint of the settings is the first.
INSERT INTO platform_endpoints (name, created_by) VALUES ('Platform', 'settings');--> statement-breakpoint
-- The digits of the next membership id: seven at least (product 7.1).
CREATE SEQUENCE membership_numbers;--> statement-breakpoint
INSERT INTO bank_policy DEFAULT VALUES;
