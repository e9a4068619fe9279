// The device's own sheet to send something on by.

/** Whether this device has a sheet to share by, and people use it: a phone, not a desk. */
export function hasSheet(): boolean {
  return typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches;
}
