import { planDistribution } from '@gateleg/adapters-postgres/distribution/plan-distribution'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { explainingFailures } from '../configuration/operator-errors.ts'
import { nameOf } from '../opening/opening-storage.ts'

/**
 * Returns a script of the statements that make the configured database a distributed one. Throws a ConfigurationError
 * that lists what is in the way.
 */
export async function citusScript({ database }: Pick<Configuration, 'database'>): Promise<string> {
  if (!database) throw new ConfigurationError(['DATABASE_URL must say which database is meant.'])
  const name = nameOf(database)
  const plan = await explainingFailures(() => planDistribution(database))
  if (!plan) {
    throw new ConfigurationError([
      `There is no workspace in ${name}: start gateleg on it once, which makes one.`,
    ])
  }
  const { obstacles, statements } = plan
  if (obstacles.length > 0) {
    throw new ConfigurationError([
      `This is in the way of distributing ${name}:`,
      ...obstacles.map(({ rule, what }) => `${rule}: ${what}`),
      'The rules are explained in docs/scaling.md.',
    ])
  }
  return `${introduction(name)}${statements.join('\n')}\n`
}

function introduction(name: string): string {
  return `\\set ON_ERROR_STOP on
-- Turns ${name} into a distributed one.
-- Run it with psql as a superuser, when Citus is installed on every machine and this database knows them:
--   SELECT citus_set_coordinator_host('<this machine>', 5432);
--   SELECT citus_add_node('<another machine>', 5432);
`
}
