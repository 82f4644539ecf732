import '../../packages/picker/src/index.ts';

const picker = document.createElement('gif-picker');
picker.setAttribute('service', 'https://gifs.example');
picker.addEventListener('gif-pick', ({ detail }) => Object.assign(window, { picked: detail.gif.id }));
document.querySelector('#app').append(picker);
customElements.whenDefined('gif-picker').then(async () => {
  await picker.updateComplete;
  picker.focus();
});
