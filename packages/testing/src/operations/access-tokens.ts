import { actions } from '@gateleg/domain/access/roles'
import fc from 'fast-check'
import { description, name, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

interface SettingsArgs {
  /** 'all', or some of them. */
  readonly scopes?: unknown
  readonly spaces?: readonly Ref[] | null
  readonly bases?: readonly Ref[] | null
  readonly [setting: string]: unknown
}

const places = fc.option(fc.array(ref, { maxLength: 2 }), { nil: null })

const settings = {
  name,
  description,
  scopes: fc.oneof(fc.constant('all'), fc.constant('all'), fc.subarray([...actions])),
  spaces: places,
  bases: places,
  hasFullAccess: fc.option(fc.boolean(), { nil: null }),
}

const expiredTime = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('2999-01-01', '2999-12-31T23:59:59+05:30') },
  { weight: 1, arbitrary: fc.constantFrom('2020-01-01', 'soon', '9999-12-31T23:59:59.9999Z') },
)

function toSettings({ scopes, spaces, bases, ...rest }: SettingsArgs, known: ScriptState) {
  return {
    scopes: scopes === 'all' ? actions : scopes,
    ...rest,
    ...(spaces !== undefined && { spaceIds: spaces?.map((one) => known.spaces.idOf(one)) ?? null }),
    ...(bases !== undefined && { baseIds: bases?.map((one) => known.bases.idOf(one)) ?? null }),
  }
}

const requiredKeys = ['name', 'scopes'] as const

export const accessTokenOperations: ScriptedFeature<'accessTokens'> = {
  createToken: scripted({
    weight: 1.5,
    args: fc.record(
      { ...settings, expiredTime },
      { requiredKeys: [...requiredKeys, 'expiredTime'] },
    ),
    toInput: toSettings,
    learn: (known, { id, token }: { readonly id: string; readonly token: string }) =>
      known.tokens.add({ id, text: token }),
  }),
  listTokens: scripted({ weight: 1, args: fc.constant({}) }),
  getToken: scripted({
    weight: 0.8,
    args: fc.record({ token: ref }),
    toInput: ({ token }, { tokens }) => ({ id: tokens.idOf(token) }),
  }),
  updateToken: scripted({
    weight: 1.2,
    args: fc.record({ token: ref, ...settings }, { requiredKeys: ['token', ...requiredKeys] }),
    toInput: ({ token, ...rest }: SettingsArgs & { token: Ref }, known) => ({
      id: known.tokens.idOf(token),
      ...toSettings(rest, known),
    }),
  }),
  refreshToken: scripted({
    weight: 1.2,
    args: fc.record({ token: ref, expiredTime }),
    toInput: ({ token, expiredTime }, { tokens }) => ({ id: tokens.idOf(token), expiredTime }),
    learn: (known, { id, token }: { readonly id: string; readonly token: string }) => {
      // The old text is good for nothing any more: some steps will call with it.
      known.tokens.drop(id)
      known.tokens.add({ id: `${id} refreshed`, text: token })
    },
  }),
  deleteToken: scripted({
    weight: 0.8,
    args: fc.record({ token: ref }),
    toInput: ({ token }, { tokens }) => ({ id: tokens.idOf(token) }),
    learn: (known, _answer, { id }) => known.tokens.drop(String(id)),
  }),
}
