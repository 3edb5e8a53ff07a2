/** A migration in the SQL of one engine. */
export interface WrittenMigration {
  readonly name: string
  /** The statements, in order. */
  readonly statements: readonly string[]
}

/** Migrations in the SQL of one engine. */
export interface WrittenMigrations {
  /** What makes the tables about migrations, which no migration makes, where they aren't there. */
  readonly ownTables: readonly string[]
  /** Oldest first. The number of one is its place here, from 1. */
  readonly all: readonly WrittenMigration[]
}
