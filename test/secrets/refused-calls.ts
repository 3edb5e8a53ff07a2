import { operations } from '@gateleg/contract/operations'
import { fill } from './read-everything.ts'
import type { Scene } from './scene.ts'

type Ids = Readonly<Record<string, string>>

/** Sends every operation that takes a body what it refuses, with a secret in it; how many of those were refused. */
export async function sendWrongBodies(scene: Scene, ids: Ids, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  let refused = 0
  for (const operation of operations) {
    const { method, pathMembers, example, body, fileMember, name } = operation
    if (method === 'GET' || body === 'multipart' || fileMember !== undefined) continue
    const input = fill(example, ids)
    const members = Object.keys(input).filter((member) => !pathMembers.includes(member))
    if (members.length === 0) continue
    const path = `/api${operation.path.replace(/\{(\w+)\}/g, (_, member) => encodeURIComponent(String(input[member])))}`
    const where = operation.hasQueryInput ? 'query' : 'body'
    for (const toText of wrongTexts) {
      const wrong = scene.secret(`in the ${where} of ${name}`)
      const text = toText(members, wrong)
      const query = new URLSearchParams({ [members[0] ?? '']: wrong, [wrong]: '1', token: wrong })
      const sent = operation.hasQueryInput
        ? { method, path: `${path}?${query}`, headers }
        : { method, path, headers: { ...headers, ...json }, body: text }
      const { status } = await scene.send(sent)
      // What is taken for a name is one from then on.
      if (status < 400) scene.parts.search.forget(wrong)
      else refused++
    }
  }
  return refused
}

const json = { 'Content-Type': 'application/json' }

const membersOf = (members: readonly string[], value: unknown) =>
  Object.fromEntries(members.map((member) => [member, value]))

/** Bodies that are wrong in another way each: texts of members that there are, with a secret in them. */
const wrongTexts: readonly ((members: readonly string[], wrong: string) => string)[] = [
  (members, wrong) => JSON.stringify(membersOf(members, { not: { this: [wrong] } })),
  (members, wrong) => JSON.stringify({ ...membersOf(members, wrong), [wrong]: wrong }),
  (members, wrong) => JSON.stringify(membersOf(members, [{ [wrong]: 1 }])),
  (_, wrong) => JSON.stringify(wrong),
  (_, wrong) => JSON.stringify([wrong]),
  (_, wrong) => `{"password":${JSON.stringify(wrong)},`,
  (_, wrong) => `${wrong}{`,
]
