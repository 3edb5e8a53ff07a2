import { actions } from '@gateleg/domain/access/roles'
import type { Attack, Attacker, Target } from '../attack.ts'
import { describedIn } from '../fuzz/described.ts'
import { RandomRequests } from '../fuzz/random-requests.ts'

/** The same requests in every run; another seed by FUZZ_SEED. */
const firstSeed = Number(process.env.FUZZ_SEED ?? 20_261_122)

/** Requests about the same things: some of them delete what the others are about. */
const requestsPerPlace = 200

/** Requests that are on their way at one time. */
const atOnce = 8

export const fuzz: Attack = {
  name: 'fuzz',
  about: 'requests made at random from the description of the interface: none is answered 5xx',
  // Somebody else signs up for every few of them.
  environment: { SIGNUP_LIMIT_PER_MINUTE: '0' },
  run: async (target) => {
    const { url, newAttacker, isShort, say } = target
    const operations = describedIn(await (await fetch(`${url}/openapi.json`)).json())
    const count = isShort ? 600 : 20_000
    for (let sent = 0; sent < count; sent += requestsPerPlace) {
      const attacker = await newAttacker(`fuzzer${sent}`)
      const ids = await makeThings(attacker)
      await sendMany(target, attacker, new RandomRequests(operations, ids, firstSeed + sent))
    }
    say(`${count} requests, seed ${firstSeed}`)
  },
}

async function sendMany(
  { send }: Target,
  attacker: Attacker,
  requests: RandomRequests,
): Promise<void> {
  // What signs out, or changes the password, ends the session: the other half goes on.
  const tokens = [attacker.token, await makeToken(attacker)]
  let sent = 0
  const sendOn = async () => {
    while (sent < requestsPerPlace) {
      sent++
      const request = requests.next()
      const Authorization = `Bearer ${tokens[sent % tokens.length]}`
      await send({ ...request, headers: { Authorization, ...request.headers } })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
}

/** An access token that may do all that its user may. */
async function makeToken({ api }: Attacker): Promise<string> {
  const { token } = await api.accessTokens.createToken({
    name: 'All',
    scopes: [...actions],
    expiredTime: '2999-12-31',
  })
  return token
}

/** Something for the requests to be about, by the names that paths and bodies give ids. */
async function makeThings({
  api,
  spaceId,
  baseId,
}: Attacker): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = [
    await api.tables.createTable({ baseId, name: 'Things' }),
    await api.tables.createTable({ baseId, name: 'Others' }),
  ]
  await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Folder' })
  const nodes = await api.tree.listNodes({ baseId })
  const tableIds = tables.map(({ id }) => id)
  return new Map([
    ['spaceId', [spaceId]],
    ['baseId', [baseId]],
    ['tableId', tableIds],
    ['foreignTableId', tableIds],
    ['fieldId', tables.flatMap(({ fields }) => fields.map(({ id }) => id))],
    ['recordId', tables.flatMap(({ records }) => records.map(({ id }) => id))],
    ['viewId', tables.flatMap(({ views }) => views.map(({ id }) => id))],
    ['nodeId', nodes.map(({ id }) => id)],
    ['parentId', nodes.map(({ id }) => id)],
    ['folderId', nodes.map(({ resourceId }) => resourceId)],
  ])
}
