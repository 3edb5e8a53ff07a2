import { expect, test } from 'vitest'
import { ScriptState } from '../scripts/script-state.ts'
import { invitationLinkOperations } from './invitation-links.ts'

test.each(['changeSpaceLink', 'changeBaseLink'] as const)(
  'scripts join by the code that %s gave a link',
  (name) => {
    const known = new ScriptState('12345678')
    known.invitationLinks.add({ id: 'ivl1', code: 'old' })
    const { learn } = invitationLinkOperations[name]
    learn?.(known, { invitationId: 'ivl1', invitationCode: 'new' }, {})
    expect(known.invitationLinks.all).toEqual([{ id: 'ivl1', code: 'new' }])
  },
)
