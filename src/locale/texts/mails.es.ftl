### Textos de los correos que escribe el servidor.
