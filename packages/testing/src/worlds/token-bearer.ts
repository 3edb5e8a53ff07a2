import type { Actor } from '@gateleg/domain/access/actor'
import type { Api } from '@gateleg/domain/api'
import type { TestEngine } from '../test-engine.ts'

/** Who acts by the token, which is good. */
export async function actorBy(engine: TestEngine, token: string): Promise<Actor> {
  const actor = await engine.authenticate(token)
  if (!actor) throw new Error('the token is good')
  return actor
}

/** All operations, called by way of the token, which is good. */
export async function apiBy(engine: TestEngine, token: string): Promise<Api> {
  return engine.as(await actorBy(engine, token))
}
