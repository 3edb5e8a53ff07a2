import type { User } from './user.ts'

/** What URLs of pictures depend on. */
export interface PictureViewer {
  /** The address of the service as callers know it, if it knows that itself. */
  readonly publicUrl?: string | undefined
}

/** Where a picture that a user has uploaded is read, without a credential, by the id that tells it from all others. */
const place = '/api/user/avatar/'

/**
 * The URL of a user's picture, if they have one: the picture itself where it is made of initials, else where it is read;
 * absolute where the service knows its own address, else a path.
 */
export function shownPicture(
  { publicUrl = '' }: PictureViewer,
  { avatar }: Pick<User, 'avatar'>,
): { readonly avatar?: string } {
  if (avatar === undefined) return {}
  return { avatar: avatar.startsWith('data:') ? avatar : `${publicUrl}${place}${avatar}` }
}
