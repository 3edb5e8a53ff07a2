import { z } from 'zod'
import { type CallerScope, signedIn } from '../../access/guard.ts'
import type { ReadTx } from '../../store.ts'
import { type CallContext, defineRead } from '../../use-case.ts'
import { type BaseOutput, baseOutput, toBaseOutput } from '../base.ts'

/** Lets everybody list the bases that they reach; a token with the scope. */
export const onAllBases = signedIn({ action: 'base|read_all' })

/** Lists every base the caller has a role in, as far as their access token reaches. */
export const listAllBases = defineRead({
  summary: 'List all bases I can reach',
  input: z.object({}),
  output: z.array(baseOutput),
  access: onAllBases,
  run: findAllBases,
})

/** What `listAllBases` answers, for lists that contain it. */
export async function findAllBases({
  tx,
  actor,
  userId,
}: Pick<CallContext, 'actor'> & CallerScope & { readonly tx: ReadTx }): Promise<BaseOutput[]> {
  const reach = actor.kind === 'token' ? actor.reach : undefined
  const bases = await tx.bases.listAll(
    userId,
    reach && { spaceIds: [...reach.spaceIds], baseIds: [...reach.baseIds] },
  )
  return bases.map(({ base, role }) => toBaseOutput(base, role))
}
