-- What a registry file had of a clinician who was taken out of it, so that a suppression can be undone: sealed under the master
-- key, with the name of that file. Null for one whom no file had.
ALTER TABLE suppression ADD COLUMN record TEXT;
ALTER TABLE suppression ADD COLUMN registry TEXT CHECK ((registry IS NULL) = (record IS NULL));
