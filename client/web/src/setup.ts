// Before the tests of a file: the page speaks English.

import { prepare, speak } from './lib/locale.svelte';

await speak('en');
await prepare(['core', 'race', 'room', 'review', 'people', 'alone', 'almanac', 'rules', 'hanoi']);
