import type { Profile } from '@gateleg/domain/accounts/user-repository'

/**
 * Profiles that a transaction has read along with something else, by the ids of their users: what its caller makes or
 * has made is shown with their name most often.
 */
export type ProfilesRead = Map<string, Profile>
