import { mount } from 'svelte';
import './composer.css';
import Composer from './composer.svelte';

mount(Composer, { target: document.getElementById('app')! });
