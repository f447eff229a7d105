-- concurrently
CREATE UNIQUE INDEX CONCURRENTLY "members_email_folded" ON "members" (fold_name("email"));
