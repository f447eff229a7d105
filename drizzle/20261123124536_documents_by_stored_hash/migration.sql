-- The rows that name a stored file. Locks documents for writes: some seconds for a million.
CREATE INDEX "documents_stored" ON "documents" ("stored_hash");